/* SPDX-License-Identifier: Apache-2.0 */
/** What a user would pick instead of Signet, each used as its own documentation says, measured like Signet. */
@NullMarked
package org.signetmq.peers;

import org.jspecify.annotations.NullMarked;
