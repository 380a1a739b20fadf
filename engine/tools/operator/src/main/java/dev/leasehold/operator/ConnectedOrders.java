package dev.leasehold.operator;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.operator.serve.Orders;

/** Orders of the page, each by an engine of its own, as those of the command line. */
final class ConnectedOrders implements Orders {

    private final Connection connection;

    ConnectedOrders(Connection connection) {
        this.connection = connection;
    }

    @Override
    public String pin(String lease, String entity) {
        return told(engine -> OrderResult.ofPin(lease, entity, engine.admin().pin(lease, entity)));
    }

    @Override
    public String unpin(String lease, String entity) {
        return told(engine -> OrderResult.ofUnpin(
                lease,
                entity,
                engine.admin().unpin(lease, entity),
                engine.admin().inspect(lease)));
    }

    @Override
    public String forceExpire(String lease, long token, String reason) {
        return told(engine -> end(engine, lease, token, reason));
    }

    /**
     * Looks again, and ends the tenure that was shown, or the time for which the lease is kept free after it.
     *
     * @param token of that tenure; what has begun under another one since stays
     */
    static OrderResult end(LeaseEngine engine, String lease, long token, String reason) throws InterruptedException {
        LeaseState now = engine.admin().inspect(lease);
        if (now instanceof LeaseState.Vacant vacant && vacant.keptFreeUntil() != null && vacant.token() == token) {
            return OrderResult.ofFreeing(vacant, engine.admin().forceExpire(lease, reason));
        }
        return now instanceof LeaseState.Held held && held.tenure().token() == token
                ? OrderResult.ofForceExpiry(lease, engine.admin().forceExpire(held.tenure(), reason))
                : new OrderResult(
                        "force-expire",
                        lease,
                        false,
                        now.describe() + ": that is not what was shown. Nothing was done");
    }

    private interface Order {
        OrderResult on(LeaseEngine engine) throws InterruptedException;
    }

    private String told(Order order) {
        try (LeaseEngine engine = connection.engine()) {
            return order.on(engine).message();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted; nothing was done";
        } catch (RuntimeException e) {
            return Failures.describe(e);
        }
    }
}
