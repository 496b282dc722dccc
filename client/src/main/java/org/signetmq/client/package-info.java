/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.client;

import org.jspecify.annotations.NullMarked;
