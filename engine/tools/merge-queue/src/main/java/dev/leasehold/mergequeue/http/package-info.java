/** The service over HTTP: routes, bodies, answers, authentication, and the passing on to the replica that serves a provider. */
@NullMarked
package dev.leasehold.mergequeue.http;

import org.jspecify.annotations.NullMarked;
