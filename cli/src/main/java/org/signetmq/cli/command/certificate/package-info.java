/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet certificate}: certificates of other parties. Imports {@code policy.access}. */
@NullMarked
package org.signetmq.cli.command.certificate;

import org.jspecify.annotations.NullMarked;
