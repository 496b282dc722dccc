/* SPDX-License-Identifier: Apache-2.0 */
/** The command {@code signet queue}. Imports {@code broker} and {@code console}. */
@NullMarked
package org.signetmq.cli.command.queue;

import org.jspecify.annotations.NullMarked;
