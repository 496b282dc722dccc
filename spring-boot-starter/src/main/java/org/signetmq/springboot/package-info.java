/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Auto-configuration for Spring Boot 3 and 4: wraps the connection factories of an application. Applications use its
 * properties {@code signet.*} alone.
 */
@NullMarked
package org.signetmq.springboot;

import org.jspecify.annotations.NullMarked;
