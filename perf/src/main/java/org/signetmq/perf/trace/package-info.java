/* SPDX-License-Identifier: Apache-2.0 */
/** The traces that a payload leaves in files and on connections. Imports no other room of perf. */
@NullMarked
package org.signetmq.perf.trace;

import org.jspecify.annotations.NullMarked;
