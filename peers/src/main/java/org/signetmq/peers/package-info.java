/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The libraries that a user would take instead of Signet. Each is used as its own documentation says, and measured like
 * Signet.
 */
@NullMarked
package org.signetmq.peers;

import org.jspecify.annotations.NullMarked;
