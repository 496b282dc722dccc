/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The rejection of a message: its count, its line in the log, and the reason for the client. It imports the status and
 * the log.
 */
@NullMarked
package org.signetmq.interceptor.internal.reject;

import org.jspecify.annotations.NullMarked;
