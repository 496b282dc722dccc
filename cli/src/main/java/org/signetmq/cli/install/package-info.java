/* SPDX-License-Identifier: Apache-2.0 */
/** Puts the plugin into a broker instance, and takes it out again. */
@NullMarked
package org.signetmq.cli.install;

import org.jspecify.annotations.NullMarked;
