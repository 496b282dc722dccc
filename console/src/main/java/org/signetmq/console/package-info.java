/* SPDX-License-Identifier: Apache-2.0 */
/** Serves the files of the administration page. */
@NullMarked
package org.signetmq.console;

import org.jspecify.annotations.NullMarked;
