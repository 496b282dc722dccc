/* SPDX-License-Identifier: Apache-2.0 */
/** The document of a bundle, its limits, and the files of a home in it. Imports {@code console}. */
@NullMarked
package org.signetmq.cli.command.bundle.document;

import org.jspecify.annotations.NullMarked;
