/** Leases, engines and events as rows for people and for programs. */
@NullMarked
package dev.leasehold.operator.view;

import org.jspecify.annotations.NullMarked;
