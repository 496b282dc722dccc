/* SPDX-License-Identifier: Apache-2.0 */
/** The terminal that a command speaks to: options, tables, JSON, failures. Imports no other package of the module. */
/**
 * The terminal that a command speaks to: options, tables, JSON, failures, exit codes. Imports no other package here.
 */
/**
 * The terminal that a command speaks to: options of all commands, tables, JSON, failures, exit codes. Imports no other
 * room of the module.
 */
@NullMarked
package org.signetmq.cli.console;

import org.jspecify.annotations.NullMarked;
