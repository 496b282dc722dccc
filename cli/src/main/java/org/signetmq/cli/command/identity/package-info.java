/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet identity}. Imports {@code keys} and below. */
@NullMarked
package org.signetmq.cli.command.identity;

import org.jspecify.annotations.NullMarked;
