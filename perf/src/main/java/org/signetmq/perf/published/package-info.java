/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Figures of published documents, which experiments reproduce. The resource files name their sources. Imports no other
 * room of perf.
 */
@NullMarked
package org.signetmq.perf.published;

import org.jspecify.annotations.NullMarked;
