package dev.leasehold.simulator.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who keeps leases by handles, and has renewed them since this was made. */
final class Keepers {

    private final List<Service> services;
    private final String lease;
    /** On the clock of each service's engine. */
    private final Map<Service, Long> endsNanos = new HashMap<>();

    Keepers(List<Service> services, String lease) {
        this.services = services;
        this.lease = lease;
        for (Service service : services) {
            endsNanos.put(service, service.keepsUntilLocalNanos(lease));
        }
    }

    /** Whether a live service believes for longer now that it keeps the lease. */
    boolean haveRenewed() {
        for (Service service : services) {
            if (service.keepsUntilLocalNanos(lease) > endsNanos.getOrDefault(service, Long.MIN_VALUE)) {
                return true;
            }
        }
        return false;
    }
}
