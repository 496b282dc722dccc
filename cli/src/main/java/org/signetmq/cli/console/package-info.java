/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The terminal that a command speaks to, and its files: options, tables, JSON, failures. Imports no other package of
 * the module.
 */
@NullMarked
package org.signetmq.cli.console;

import org.jspecify.annotations.NullMarked;
