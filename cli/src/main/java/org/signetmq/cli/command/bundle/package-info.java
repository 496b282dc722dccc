/* SPDX-License-Identifier: Apache-2.0 */
/** Bundles: what a consumer needs of a home, in one signed file. Imports {@code policy} and below. */
@NullMarked
package org.signetmq.cli.command.bundle;

import org.jspecify.annotations.NullMarked;
