/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet policy}. Imports {@code connection} and {@code console}. */
@NullMarked
package org.signetmq.cli.command.policy;

import org.jspecify.annotations.NullMarked;
