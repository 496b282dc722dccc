/* SPDX-License-Identifier: Apache-2.0 */
/** Files and streams of commands: whole or not at all. Imports {@code console}. */
@NullMarked
package org.signetmq.cli.file;

import org.jspecify.annotations.NullMarked;
