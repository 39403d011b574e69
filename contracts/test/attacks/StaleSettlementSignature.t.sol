// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev A party keeps the other's signature under a settlement that fitted then, and uses it when the task stands
/// better for itself.
/// Answer: what is signed names round, milestone, state, time of the last change, the money held and the phase of a
/// dispute, so that any step voids it; and it has its own expiry. KeepingTheFee plays the phases.
contract StaleSettlementSignatureTest is AttackTest {
    uint64 private validUntil;

    function setUp() public override {
        super.setUp();
        validUntil = START + 60 days;
    }

    function testFuzz_anyNewDeliveryVoidsAnOffer(uint16 workerBps, uint256 wait) public {
        workerBps = uint16(bound(workerBps, 0, 10_000));
        uint256 taskId = delivered();
        bytes memory offer = signWith(workerKey, registry.hashSettlement(taskId, workerBps, validUntil));
        skip(bound(wait, 1, 30 days));
        deliver(taskId);
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(taskId, workerBps, validUntil, "", offer);
    }
}
