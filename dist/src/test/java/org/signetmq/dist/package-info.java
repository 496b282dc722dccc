/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of a release, each from its archive. */
@NullMarked
package org.signetmq.dist;

import org.jspecify.annotations.NullMarked;
