/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet certificate} and {@code signet trust}. Imports {@code policy}. */
@NullMarked
package org.signetmq.cli.command.certificate;

import org.jspecify.annotations.NullMarked;
