package dev.leasehold.examples.spring;

import org.springframework.data.annotation.Id;

/**
 * One invoice.
 *
 * @param number 1 for the first one, then one more each time, without a gap
 * @param writer the process that wrote it
 * @param token the token of the lease under which it was written
 */
public record Invoice(@Id long number, String writer, long token) {}
