# SPDX-License-Identifier: Apache-2.0
from real_broker import broker as broker
