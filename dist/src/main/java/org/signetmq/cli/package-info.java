/* SPDX-License-Identifier: Apache-2.0 */
/** What only the build of a release runs. */
@NullMarked
package org.signetmq.cli;

import org.jspecify.annotations.NullMarked;
