/* SPDX-License-Identifier: Apache-2.0 */
/** The command {@code signet serve}: opens messages over HTTP for programs of this machine that have a token. */
@NullMarked
package org.signetmq.cli.command.serve;

import org.jspecify.annotations.NullMarked;
