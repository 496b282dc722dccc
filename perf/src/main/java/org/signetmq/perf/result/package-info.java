/* SPDX-License-Identifier: Apache-2.0 */
/** Results of a measurement as JSON, tables, targets and charts. Imports no other room of perf. */
@NullMarked
package org.signetmq.perf.result;

import org.jspecify.annotations.NullMarked;
