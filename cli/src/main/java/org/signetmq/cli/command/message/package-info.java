/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet message}. Imports {@code policy}, {@code file} and {@code console}. */
@NullMarked
package org.signetmq.cli.command.message;

import org.jspecify.annotations.NullMarked;
