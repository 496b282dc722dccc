/* SPDX-License-Identifier: Apache-2.0 */
/** Files and streams of commands: whole or not at all, large ones uncached. Imports {@code console}. */
/**
 * Files and streams that commands read and write: whole or not at all, large ones uncached. Imports {@code console}.
 */
/**
 * Files and streams that commands read and write: whole or not at all, and large ones past the page cache. Imports
 * {@code console}.
 */
@NullMarked
package org.signetmq.cli.file;

import org.jspecify.annotations.NullMarked;
