/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.console;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Adds headers to each answer that tell the browser what the page may do: it loads scripts and styles from its own
 * origin alone, and talks to no other.
 */
public final class SecurityHeaders implements Filter {
    /** The content security policy. The page repeats it, without the directive that only a header can have. */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; "
                    + "frame-ancestors 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()",
            // an upgrade shows at once; the browser asks whether a file has changed
            "Cache-Control", "no-cache");

    /** Makes the filter; the web server does. */
    public SecurityHeaders() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (response instanceof HttpServletResponse http) {
            HEADERS.forEach(http::setHeader);
        }
        chain.doFilter(request, response);
    }
}
