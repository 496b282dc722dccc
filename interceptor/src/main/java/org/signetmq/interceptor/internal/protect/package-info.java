/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The decision which policy applies to a message, and the sealing of messages in memory. It imports the body, the home
 * and the status.
 */
@NullMarked
package org.signetmq.interceptor.internal.protect;

import org.jspecify.annotations.NullMarked;
