/* SPDX-License-Identifier: Apache-2.0 */
/** Recipients: wraps data keys for them, and compares and unwraps their recipient infos. */
@NullMarked
package org.signetmq.envelope.internal.recipient;

import org.jspecify.annotations.NullMarked;
