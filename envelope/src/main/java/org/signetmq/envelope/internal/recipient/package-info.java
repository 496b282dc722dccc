/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Recipients: wraps data keys for them, and compares and unwraps their recipient infos. It imports {@code internal.cms}
 * and packages below it.
 */
@NullMarked
package org.signetmq.envelope.internal.recipient;

import org.jspecify.annotations.NullMarked;
