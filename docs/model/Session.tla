------------------------------ MODULE Session ------------------------------
(* Session leases (specification section 9): one clock document, one lease    *)
(* document without an expiry.  Join, heartbeat, claim, evict, release and    *)
(* close are decided from views and run later, atomically; replies get lost.  *)
(* Every engine claims for a holder of its own.  Lease and clock document are *)
(* read apart, in any order.  `Mut` plants faults; Mut = {} is the            *)
(* specification with the amendments marked (*+*).                            *)
EXTENDS Integers, TLC
CONSTANTS W, S, Lo, Hi, Unit, Offs, MaxAcc, MaxVer, MaxHb,
          Ghost,      \* the owner had sent its join twice: an older copy is still under way
          Joined,     \* engines that have joined at the start
          Ops, Mut

None == "-"
m(x) == x \in Mut
Max(a, b) == IF a > b THEN a ELSE b
Sym == Permutations(Joined) \cup Permutations(W \ Joined)

VARIABLES acc, st, ck, doc, vd, vc, fresh, msg, hb, hbs, orph, last, own
vars == <<acc, st, ck, doc, vd, vc, fresh, msg, hb, hbs, orph, last, own>>

Now(w) == acc[w] \div Unit
Scale(x) == IF m("NoDrift") THEN x ELSE (x * Hi + Lo - 1) \div Lo
NoMsg == [op |-> "no"]
NoView == [o |-> None, tok |-> 0, ver |-> -1]
(* starts with a lease that one of the joined engines has just claimed *)
Init == /\ acc \in [W -> Offs]
        /\ st = [w \in W |-> IF w \in Joined THEN "in" ELSE "new"]
        /\ ck = [w \in W |-> IF w \in Joined THEN acc[w] \div Unit ELSE 0]
        /\ last = ck
        /\ IF Joined = {} THEN /\ doc = [o |-> None, tok |-> 0, ver |-> 0]
                               /\ own = [w \in W |-> 0]
           ELSE \E a \in Joined : /\ doc = [o |-> a, tok |-> 1, ver |-> 1]
                                  /\ own = [w \in W |-> IF w = a THEN 1 ELSE 0]
        /\ vd = [w \in W |-> NoView]
        /\ vc = [w \in W |-> [v \in W |-> [t |-> -1, rb |-> 0]]]
        /\ fresh = [w \in W |-> FALSE]
        /\ msg = [w \in W |-> NoMsg]
        /\ hb = [w \in W |-> 0] /\ hbs = 0
        /\ orph = [w \in W |-> IF Ghost /\ doc.o = w THEN ck[w] - 1 ELSE 0]

Believes(w) == st[w] = "in" /\ own[w] > 0 /\ Now(w) < last[w] + S

Tick == \E inc \in [W -> {Lo, Hi}] :
  /\ \A w \in W : acc[w] + inc[w] <= MaxAcc
  /\ acc' = [w \in W |-> acc[w] + inc[w]]
  /\ UNCHANGED <<st, ck, doc, vd, vc, fresh, msg, hb, hbs, orph, last, own>>

(* ------------------------------- reads ------------------------------------ *)
ReadLease(w) ==
  /\ st[w] = "in" /\ vd[w] # doc
  /\ vd' = [vd EXCEPT ![w] = doc] /\ fresh' = [fresh EXCEPT ![w] = FALSE]
  /\ UNCHANGED <<acc, st, ck, doc, vc, msg, hb, hbs, orph, last, own>>
(* of every writer, whether or not it keeps a lease that was read: the newest time and its first sight *)
ReadClock(w) ==
  /\ st[w] = "in"
  /\ \E back \in (IF m("BackSight") THEN 0..2 ELSE {0}) :
     vc' = [vc EXCEPT ![w] = [v \in W |->
        IF v = w THEN @[v] ELSE IF @[v].t = ck[v] THEN @[v]
        ELSE [t |-> ck[v], rb |-> IF ck[v] = 0 THEN 0
                                  ELSE IF m("OldSight") /\ @[v].rb > 0 THEN @[v].rb ELSE Now(w) - back]]]
  /\ fresh' = [fresh EXCEPT ![w] = TRUE]
  /\ vc' # vc \/ ~fresh[w]
  /\ UNCHANGED <<acc, st, ck, doc, vd, msg, hb, hbs, orph, last, own>>

(* what an ack of w with stamp s must find in the clock document *)
Guard(w, s) == ck[w] # 0 /\ ck[w] <= s /\ (m("NoFloor") \/ ck[w] >= last[w]) (*+*)
Out(w) == /\ st' = [st EXCEPT ![w] = "out"] /\ own' = [own EXCEPT ![w] = 0]
          /\ UNCHANGED last
(* absent, or an entry older than what was acknowledged: a ghost.  A newer one is one's own *)
Gone(w) == ck[w] = 0 \/ ck[w] < last[w]

(* ------------------------------- joining ---------------------------------- *)
Join(w) ==
  /\ st[w] = "new" /\ msg[w].op = "no"
  /\ msg' = [msg EXCEPT ![w] = [op |-> "join", s |-> Now(w)]]
  /\ UNCHANGED <<acc, st, ck, doc, vd, vc, fresh, hb, hbs, orph, last, own>>
ExecJoin(w) ==
  /\ msg[w].op = "join" /\ msg' = [msg EXCEPT ![w] = NoMsg]
  /\ ck' = IF ck[w] = 0 THEN [ck EXCEPT ![w] = msg[w].s] ELSE ck
  /\ st' = [st EXCEPT ![w] = "in"] /\ last' = [last EXCEPT ![w] = ck'[w]]
  /\ UNCHANGED <<acc, doc, vd, vc, fresh, hb, hbs, orph, own>>
ExecGhost(w) ==
  /\ orph[w] > 0 /\ orph' = [orph EXCEPT ![w] = 0]
  /\ ck' = IF ck[w] = 0 THEN [ck EXCEPT ![w] = orph[w]] ELSE ck
  /\ UNCHANGED <<acc, st, doc, vd, vc, fresh, msg, hb, hbs, last, own>>

(* ------------------------------ heartbeats -------------------------------- *)
Beat(w) == /\ st[w] = "in" /\ hb[w] = 0 /\ hbs < MaxHb /\ hbs' = hbs + 1
           /\ hb' = [hb EXCEPT ![w] = Now(w)]
           /\ UNCHANGED <<acc, st, ck, doc, vd, vc, fresh, msg, orph, last, own>>
ExecBeat(w) ==
  LET hit == Guard(w, hb[w]) \/ (m("Upsert") /\ ck[w] = 0)
      s == IF m("FromReply") THEN Now(w) ELSE hb[w] IN
  /\ hb[w] > 0 /\ hb' = [hb EXCEPT ![w] = 0]
  /\ ck' = IF hit THEN [ck EXCEPT ![w] = hb[w]] ELSE ck
  /\ \/ UNCHANGED <<st, own, last>>                                  \* reply lost
     \/ /\ hit \/ m("AnyCount")
        /\ last' = [last EXCEPT ![w] = Max(@, s)] /\ UNCHANGED <<st, own>>
     \/ ~hit /\ Gone(w) /\ ~m("AnyCount") /\ Out(w)
  /\ UNCHANGED <<acc, doc, vd, vc, fresh, msg, hbs, orph>>

(* ------------------------------ transactions ------------------------------ *)
Late(w, v) == vc[w][v].t > 0 /\ IF m("GE") THEN Now(w) >= vc[w][v].rb + Scale(S)
                                ELSE Now(w) > vc[w][v].rb + Scale(S)
Ready(w) == st[w] = "in" /\ msg[w].op = "no"
Put(w, r) == /\ msg' = [msg EXCEPT ![w] = r]
             /\ UNCHANGED <<acc, ck, doc, vd, vc, fresh, hb, hbs, orph, last>>

Claim(w) == LET d == vd[w] IN
  /\ Ready(w) /\ d.ver >= 0 /\ d.ver < MaxVer /\ d.o # w
  /\ \/ d.o = None
     \/ d.o # None /\ vc[w][d.o].t = 0 /\ (m("AnyOrder") \/ fresh[w])
     \/ d.o # None /\ m("TakeByVersion") /\ Late(w, d.o)
  /\ Put(w, [op |-> "claim", s |-> Now(w), ver |-> d.ver, tok |-> d.tok + 1,
             gone |-> IF m("TakeByVersion") THEN None ELSE d.o])
  /\ UNCHANGED <<st, own>>
Evict(w) == \E v \in W \ {w} :
  /\ "evict" \in Ops /\ Ready(w)
  /\ Late(w, v) \/ (m("Prune") /\ vc[w][v].t > 0)
  /\ Put(w, [op |-> "evict", v |-> v, t |-> vc[w][v].t])
  /\ UNCHANGED <<st, own>>
Release(w) == LET d == vd[w] IN
  /\ "release" \in Ops /\ Ready(w) /\ d.ver < MaxVer
  /\ \/ own[w] > 0 /\ d.o = w /\ d.tok = own[w]
     \/ m("ForeignRelease") /\ d.o \notin {w, None}
  /\ Put(w, [op |-> "release", s |-> Now(w), ver |-> d.ver])
  /\ own' = [own EXCEPT ![w] = 0] /\ UNCHANGED st
Close(w) ==
  /\ "close" \in Ops /\ Ready(w) /\ Put(w, [op |-> "close"])
  /\ IF m("CloseLate") THEN UNCHANGED <<st, own>>
     ELSE own' = [own EXCEPT ![w] = 0] /\ st' = [st EXCEPT ![w] = "out"]
(* a lease found to be one's own, the claim's reply being lost: by a read made after the last *)
(* transaction of one's own was over, hence every Exec forgets the view *)
Learn(w) ==
  /\ Ready(w) /\ vd[w].o = w /\ own[w] = 0
  /\ own' = [own EXCEPT ![w] = vd[w].tok] /\ vd' = [vd EXCEPT ![w] = NoView]
  /\ UNCHANGED <<acc, st, ck, doc, vc, fresh, msg, hb, hbs, orph, last>>

Exec(w) == LET p == msg[w] IN
  /\ p.op \in {"claim", "release", "evict", "close"}
  /\ msg' = [msg EXCEPT ![w] = NoMsg]
  /\ CASE p.op = "claim" ->
            LET alone == p.gone = None /\ m("Alone")       \* vacant: one guarded write of the lease, no clock
                hit == /\ doc.ver = p.ver
                       /\ (alone \/ Guard(w, p.s) \/ m("Unmatched")) = TRUE
                       /\ IF p.gone = None \/ m("NoAbsent") THEN TRUE ELSE ck[p.gone] = 0 (*+*)
            IN /\ IF hit THEN /\ doc' = [o |-> w, tok |-> p.tok, ver |-> p.ver + 1]
                              /\ ck' = IF ~alone /\ Guard(w, p.s) THEN [ck EXCEPT ![w] = p.s] ELSE ck
                         ELSE UNCHANGED <<doc, ck>>
               /\ \/ UNCHANGED <<st, own, last>>
                  \/ hit /\ st[w] = "in" /\ own' = [own EXCEPT ![w] = p.tok]
                         /\ last' = [last EXCEPT ![w] = IF alone THEN @ ELSE Max(@, p.s)] /\ UNCHANGED st
                  \/ ~hit /\ ~alone /\ Gone(w) /\ Out(w)
       [] p.op = "release" ->
            LET hit == doc.ver = p.ver /\ (m("Alone") \/ Guard(w, p.s))
            IN /\ IF hit THEN doc' = [doc EXCEPT !.o = None, !.ver = p.ver + 1]
                              /\ ck' = IF m("Alone") THEN ck ELSE [ck EXCEPT ![w] = p.s]
                         ELSE UNCHANGED <<doc, ck>>
               /\ \/ UNCHANGED <<st, own, last>>
                  \/ hit /\ ~m("Alone") /\ last' = [last EXCEPT ![w] = Max(@, p.s)] /\ UNCHANGED <<st, own>>
                  \/ ~hit /\ ~m("Alone") /\ Gone(w) /\ Out(w)
       [] p.op = "evict" ->
            /\ ck' = IF ck[p.v] = p.t \/ m("EvictBlind") THEN [ck EXCEPT ![p.v] = 0] ELSE ck
            /\ UNCHANGED <<doc, st, own, last>>
       [] p.op = "close" ->
            /\ ck' = [ck EXCEPT ![w] = 0] /\ UNCHANGED doc
            /\ Out(w) \/ (m("CloseLate") /\ UNCHANGED <<st, own, last>>)
  /\ vd' = [vd EXCEPT ![w] = NoView]
  /\ UNCHANGED <<acc, vc, fresh, hb, hbs, orph>>

Next == Tick \/ \E w \in W :
  \/ ReadLease(w) \/ ReadClock(w) \/ Join(w) \/ ExecJoin(w) \/ ExecGhost(w)
  \/ Beat(w) \/ ExecBeat(w) \/ Claim(w) \/ Evict(w) \/ Release(w) \/ Close(w) \/ Learn(w) \/ Exec(w)
Spec == Init /\ [][Next]_vars

Mutex == \A w, v \in W : w # v => ~(Believes(w) /\ Believes(v))
Backed == \A w \in W : Believes(w) => doc.o = w /\ doc.tok = own[w]
NotEvicted == \A w \in W : Believes(w) => ck[w] # 0
=============================================================================
