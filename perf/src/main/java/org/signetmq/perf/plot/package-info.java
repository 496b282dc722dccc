/* SPDX-License-Identifier: Apache-2.0 */
/** Charts of results, as SVG and PNG. */
@NullMarked
package org.signetmq.perf.plot;

import org.jspecify.annotations.NullMarked;
