/* SPDX-License-Identifier: Apache-2.0 */
/** The runner of all experiments: what is compared takes turns. */
@NullMarked
package org.signetmq.perf.run;

import org.jspecify.annotations.NullMarked;
