/* SPDX-License-Identifier: Apache-2.0 */
/** Settings that are measured, and the loads on them. Imports result, upload and variant. */
@NullMarked
package org.signetmq.perf.setting;

import org.jspecify.annotations.NullMarked;
