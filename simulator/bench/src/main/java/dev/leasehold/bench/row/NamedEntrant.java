package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Role;

/** An entrant under a name of its own. */
abstract class NamedEntrant implements Entrant {

    private final String name;
    private final Role role;
    private final String remark;

    NamedEntrant(String name, Role role, String remark) {
        this.name = name;
        this.role = role;
        this.remark = remark;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Role role() {
        return role;
    }

    @Override
    public final String remark() {
        return remark;
    }
}
