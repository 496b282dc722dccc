/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet doctor}. Imports {@code policy} and below. */
@NullMarked
package org.signetmq.cli.command.doctor;

import org.jspecify.annotations.NullMarked;
