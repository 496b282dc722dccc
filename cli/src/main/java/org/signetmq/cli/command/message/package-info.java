/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet message} and {@code signet queue}. Imports {@code policy} and below. */
@NullMarked
package org.signetmq.cli.command.message;

import org.jspecify.annotations.NullMarked;
