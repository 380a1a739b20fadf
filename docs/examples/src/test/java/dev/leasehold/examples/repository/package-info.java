/** What the tests of the pages read. */
@NullMarked
package dev.leasehold.examples.repository;

import org.jspecify.annotations.NullMarked;
