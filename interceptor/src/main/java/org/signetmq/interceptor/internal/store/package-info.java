/* SPDX-License-Identifier: Apache-2.0 */
/** The policies in the broker's bindings journal. It imports the log. */
@NullMarked
package org.signetmq.interceptor.internal.store;

import org.jspecify.annotations.NullMarked;
