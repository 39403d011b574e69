// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Every privileged call of docs/powers.md, made as everybody else: it must be refused and change nothing. The calls
/// that only contracts of the market may make are tried as well.
contract PowersTest is AttackTest {
    struct Power {
        address target;
        bytes data;
        address holder;
    }

    uint96 private constant CAP = 50_000_000e18;
    Power[] private powers;
    /// @dev So many of them belong to people, the others to contracts.
    uint256 private ofPeople;

    function launchCap() internal pure override returns (uint96) {
        return CAP;
    }

    function setUp() public override {
        super.setUp();
        uint256 taskId = escalated();
        power(address(registry), abi.encodeCall(registry.setEntriesPaused, (true)), owner);
        power(address(registry), abi.encodeCall(registry.raiseMaxTotal, (CAP + 1)), owner);
        power(address(policy), abi.encodeCall(policy.setPlan, ("free", 1, 0, 0, false)), owner);
        power(address(staking), abi.encodeCall(staking.activate, ()), owner);
        power(address(staking), abi.encodeCall(staking.closeCreditIssuance, ()), owner);
        power(address(court), abi.encodeCall(court.scheduleFallback, (rival)), owner);
        power(address(feed), abi.encodeCall(feed.setPublisher, (rival, true)), address(this));
        power(address(feed), abi.encodeCall(feed.publish, (500_001)), publisher);
        power(
            address(court),
            abi.encodeCall(court.resolveDispute, (taskId, BPS, REASON, REASON_URI)),
            fallbackArbitrator
        );
        power(address(court), abi.encodeCall(court.resolveDispute, (assigned(), BPS, REASON, REASON_URI)), arbitrator);
        address next = makeAddr("next");
        courtAs(owner).scheduleFallback(next);
        power(address(court), abi.encodeCall(court.acceptFallback, ()), next);
        address[5] memory owned = [address(registry), address(policy), address(staking), address(court), address(feed)];
        for (uint256 index = 0; index < owned.length; ++index) {
            address holder = Ownable(owned[index]).owner();
            vm.prank(holder);
            Ownable(owned[index]).transferOwnership(next);
            power(owned[index], abi.encodeCall(Ownable.transferOwnership, (rival)), holder);
            power(owned[index], abi.encodeCall(Ownable2Step.acceptOwnership, ()), next);
            power(owned[index], abi.encodeCall(Ownable.renounceOwnership, ()), holder);
        }
        ofPeople = powers.length;
        SettlementKind kind = SettlementKind.MUTUAL;
        power(address(registry), abi.encodeCall(registry.settleDispute, (taskId, kind, 0, 0, rival)), address(court));
        power(address(court), abi.encodeCall(court.open, (taskId, poster, worker, 1, 1, false)), address(registry));
        power(address(deposits), abi.encodeCall(deposits.lockBond, (poster)), address(registry));
        power(address(deposits), abi.encodeCall(deposits.unlockBond, (poster)), address(registry));
        power(address(deposits), abi.encodeCall(deposits.slashBond, (poster, rival, false)), address(registry));
        power(address(escrow), abi.encodeCall(escrow.fund, (taskId, poster, 1)), address(registry));
        power(address(escrow), abi.encodeCall(escrow.release, (taskId, rival, 1)), address(registry));
        power(address(escrow), abi.encodeCall(escrow.payFee, (taskId, rival, 1)), address(registry));
        power(address(escrow), abi.encodeCall(escrow.refundBeyond, (taskId, rival, 0)), address(registry));
        power(address(escrow), abi.encodeCall(escrow.refundAll, (taskId, rival)), address(registry));
        power(
            address(gateway),
            abi.encodeCall(gateway.collectAccessFee, (poster, FeeAction.POST, taskId)),
            address(registry)
        );
        power(address(gateway), abi.encodeCall(gateway.pull, (poster, 1)), address(escrow));
        power(address(staking), abi.encodeCall(staking.addReward, (1)), address(gateway));
        power(address(staking), abi.encodeCall(staking.consumeCredits, (poster, 0)), address(gateway));
        power(address(reputation), abi.encodeCall(reputation.bump, (rival, RepKind.COMPLETED)), address(registry));
    }

    function test_everyPowerIsRefusedToEverybodyElse() public {
        address[13] memory everybody = [
            owner,
            treasury,
            fallbackArbitrator,
            publisher,
            stranger,
            poster,
            worker,
            rival,
            arbitrator,
            address(registry),
            address(deposits),
            address(gateway),
            address(this)
        ];
        for (uint256 index = 0; index < powers.length; ++index) {
            for (uint256 caller = 0; caller < everybody.length; ++caller) {
                if (everybody[caller] == powers[index].holder) continue;
                vm.prank(everybody[caller]);
                (bool ok, ) = powers[index].target.call(powers[index].data);
                assertFalse(ok, string.concat("power ", vm.toString(index), " of ", vm.toString(everybody[caller])));
            }
        }
    }

    /// @dev The powers that people hold are real, so that the refusals above mean something.
    function test_everyHolderCanUseItsPower() public {
        for (uint256 index = 0; index < ofPeople; ++index) {
            uint256 snapshot = vm.snapshotState();
            skip(1 hours);
            vm.prank(powers[index].holder);
            (bool ok, ) = powers[index].target.call(powers[index].data);
            assertTrue(ok, string.concat("power ", vm.toString(index)));
            vm.revertToState(snapshot);
        }
    }

    function test_theCapOnlyRises() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = CAP + 1;
        expectBadTerms("totalAmount");
        registryAs(poster).postTask(params);
        expectBadTerms("maxTotal");
        registryAs(owner).raiseMaxTotal(CAP);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MaxTotalRaised(CAP + 1);
        registryAs(owner).raiseMaxTotal(CAP + 1);
        registryAs(poster).postTask(params);
        expectBadTerms("maxTotal");
        registryAs(owner).raiseMaxTotal(CAP);
    }

    function test_aPauseEndsByItself() public {
        uint256 taskId = posted();
        registryAs(owner).setEntriesPaused(true);
        uint64 until = clock() + 14 days;
        registryAs(poster).extendDeadline(taskId, clock() + 30 days);
        vm.warp(until);
        bytes32 digest = registry.openDigest(taskId, worker);
        expectEntriesArePaused();
        registryAs(worker).claimTask(taskId, digest);
        skip(1);
        assertFalse(registry.entriesPaused());
        registryAs(worker).claimTask(taskId, digest);
    }

    function power(address target, bytes memory data, address holder) private {
        powers.push(Power(target, data, holder));
    }
}
