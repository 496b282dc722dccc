/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands {@code signet broker}. Imports {@code policy}, {@code install}, {@code connection} and {@code console}.
 */
@NullMarked
package org.signetmq.cli.command.broker;

import org.jspecify.annotations.NullMarked;
