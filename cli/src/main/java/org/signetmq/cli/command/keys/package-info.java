/* SPDX-License-Identifier: Apache-2.0 */
/** Tells which keys the messages on a running broker need. */
@NullMarked
package org.signetmq.cli.command.keys;

import org.jspecify.annotations.NullMarked;
