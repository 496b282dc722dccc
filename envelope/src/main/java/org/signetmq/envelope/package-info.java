/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.envelope;

import org.jspecify.annotations.NullMarked;
