/** What is shown of a provider: as values, and as a page for people. */
@NullMarked
package dev.leasehold.mergequeue.view;

import org.jspecify.annotations.NullMarked;
