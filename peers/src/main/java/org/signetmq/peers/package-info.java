/* SPDX-License-Identifier: Apache-2.0 */
/** The libraries that a user would take instead of Signet, each used as its own documentation says. */
@NullMarked
package org.signetmq.peers;

import org.jspecify.annotations.NullMarked;
