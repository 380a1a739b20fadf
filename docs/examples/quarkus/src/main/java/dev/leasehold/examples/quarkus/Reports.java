package dev.leasehold.examples.quarkus;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.RunResult;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code POST /reports} makes the report, in one process at a time. */
@Path("/reports")
public class Reports {

    private final LeaseEngine engine;

    Reports(LeaseEngine engine) {
        this.engine = engine;
    }

    @POST
    @Produces(MediaType.TEXT_PLAIN)
    public String make() throws InterruptedException {
        RunResult<String> result = engine.runWhileHeld("report", lease -> "made with token " + lease.token());
        return result instanceof RunResult.Ran<String> ran ? ran.result() : "another process makes it";
    }
}
