/* SPDX-License-Identifier: Apache-2.0 */
/** Policies as a JSON document: reads, formats, edits and compares them. */
@NullMarked
package org.signetmq.policy.file;

import org.jspecify.annotations.NullMarked;
