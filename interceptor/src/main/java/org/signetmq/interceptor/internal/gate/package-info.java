/* SPDX-License-Identifier: Apache-2.0 */
/** The places at which the broker hands messages to the plugin. It imports all other packages but the root. */
@NullMarked
package org.signetmq.interceptor.internal.gate;

import org.jspecify.annotations.NullMarked;
