/**
 * The operator's tool: a command line, and a page, for people that run services with leases. It stands on the public interface of the
 * engine, and on the driver where it looks at the servers themselves.
 */
@NullMarked
package dev.leasehold.operator;

import org.jspecify.annotations.NullMarked;
