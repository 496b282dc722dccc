/* SPDX-License-Identifier: Apache-2.0 */
/** The program {@code signet}: builds the command line of all commands and runs it. Imports all other packages. */
@NullMarked
package org.signetmq.cli;

import org.jspecify.annotations.NullMarked;
