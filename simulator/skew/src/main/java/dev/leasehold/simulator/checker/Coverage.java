package dev.leasehold.simulator.checker;

/** States that a history may reach and that are worth counting, besides its faults and the marks of the database. */
public enum Coverage {
    /** A lease was granted while another engine asked for it in vain. */
    CONTENTION_WON,
    /** A lease was refused because another holder has it. */
    CONTENTION_LOST,
    /** A tenure was ended, and another holder's began by the same write. */
    TAKEN_OVER,
    /** An engine extended a tenure that another one had begun. */
    EXTENDED_ELSEWHERE,
    /** A call that was answered with unknown turned out to have been carried out. */
    UNKNOWN_RESOLVED_YES,
    /** A call that was answered with unknown turned out not to have been carried out. */
    UNKNOWN_RESOLVED_NO,
    /** A call was answered with unknown. */
    UNKNOWN,
    /** A caller's own transaction committed. */
    ASSERTION_PASSED,
    /** A caller's own transaction was refused. */
    ASSERTION_REFUSED,
    /** A caller's own transaction committed with the record of an occurrence. */
    OCCURRENCE_RECORDED,
    /** A caller's own transaction found that its occurrence was done before. */
    OCCURRENCE_FOUND,
    /** A look before the lease found that its occurrence was done. */
    OCCURRENCE_SEEN,
    /** A caller that forgot to assert committed after its tenure was over. */
    MISTAKE_OF_CALLER,
    /** An engine ended the session of another one. */
    EVICTED,
    /** A heartbeat came after the session was over by its writer's clock, and before any engine had ended it. */
    LATE_HEARTBEAT,
    /** A machine crashed while a call was under way on it. */
    REBOOT_DURING_OPERATION,
    /** Writes below majority were taken back. */
    ROLLBACK_BELOW_MAJORITY,
    /** Of calls of one engine that were answered at the same instant one was granted and another one was not. */
    MIXED_BATCH,
    /** A handle told its holder that the lease is lost. */
    HANDLE_LOST,
    /** An operator ended a tenure. */
    FORCED_EXPIRY,
    /** A release began the next tenure, for a ticket. */
    GRANTED,
    /** A caller got a tenure that was granted to its ticket. */
    GRANT_HEARD,
    /** No caller got a tenure that was granted to a ticket. */
    GRANTED_IN_VAIN,
    /** A lease was granted to a ticket once more. */
    GRANTED_AGAIN,
    /** A leader stepped down for another process, which leads next. */
    STEPPED_DOWN,
    /** A ticket stood in a queue twice. */
    TICKET_TWICE,
    /** Two holders held a lease at the same instant where that is no violation. */
    OVERLAP,
    /** A guarantee about time was broken where that is no violation. */
    BROKEN_OUTSIDE
}
