/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.policy;

import org.jspecify.annotations.NullMarked;
