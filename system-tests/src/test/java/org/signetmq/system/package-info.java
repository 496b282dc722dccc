/* SPDX-License-Identifier: Apache-2.0 */
/** Tests with brokers in processes of their own. */
@NullMarked
package org.signetmq.system;

import org.jspecify.annotations.NullMarked;
